"""The official client of the Model Context Protocol against a real server, in the current revision and in those before."""

import asyncio
import json
from typing import Any

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.types import TextContent, TextResourceContents

from conftest import Server
from gleaner import Gleaner


def said(result: Any) -> Any:
    """What a tool answered."""
    assert not result.is_error, result
    [content] = result.content
    assert isinstance(content, TextContent)
    return json.loads(content.text)


@pytest.mark.parametrize(
    ("mode", "revision", "thing"),
    [("auto", "2026-07-28", "lease"), ("2026-07-28", "2026-07-28", "invoice"), ("legacy", "2025-11-25", "brochure")],
)
def test_the_official_client_works(server: Server, mode: str, revision: str, thing: str) -> None:
    async def run() -> None:
        headers = {"authorization": f"Bearer {server.token}"}
        async with httpx2.AsyncClient(headers=headers) as http:
            transport = streamable_http_client(f"{server.url}/mcp", http_client=http)
            async with Client(transport, mode=mode) as client:
                assert client.protocol_version == revision
                tools = {tool.name: tool for tool in (await client.list_tools()).tools}
                assert {"list_tasks", "get_task", "submit_item", "get_job"} <= tools.keys()
                assert all(tool.description and tool.input_schema for tool in tools.values())

                # Due on a day that every day's week holds: "by Friday" of a Friday is the next week's.
                text = f"Dana: I'll send the signed {thing} to Marlow today."
                item = {"source_type": "call", "external_id": f"mcp-{mode}", "transcript": text}
                job = said(await client.call_tool("submit_item", item))
                with Gleaner(server.url, server.token) as gleaner:
                    gleaner.wait(job["job_id"])
                found = said(await client.call_tool("list_tasks", {"external_id": f"mcp-{mode}"}))
                [task] = found["items"]
                assert thing in task["title"]
                refused = await client.call_tool("list_tasks", {"colour": "red"})
                assert refused.is_error

                uris = {str(resource.uri) for resource in (await client.list_resources()).resources}
                uri = f"gleaner://tasks/{task['id']}"
                assert uri in uris
                [content] = (await client.read_resource(uri)).contents
                assert isinstance(content, TextResourceContents) and task["id"] in content.text
                [prompt] = (await client.list_prompts()).prompts
                messages = (await client.get_prompt(prompt.name)).messages
                assert thing in messages[0].model_dump_json()
                said(await client.call_tool("complete_task", {"task_id": task["id"]}))
                done = said(await client.call_tool("get_task", {"task_id": task["id"]}))
                assert done["status"] == "completed"

    asyncio.run(run())
