#!/usr/bin/env python3
"""A stand-in for an OpenAI-compatible endpoint that speaks from recordings, over real HTTP.

usage: endpoint.py dump FOLDER [--port N]      writes each request to FOLDER/requests/<key>.json and answers that there is no task
       endpoint.py ask FOLDER [--port N]       writes them too, and waits for FOLDER/answers/<key>.json, an hour at most
       endpoint.py replay FOLDER [--port N]    answers from FOLDER/answers.jsonl or FOLDER/answers/<key>.json, else 503
       endpoint.py key FILE...                 prints the key of each request

<key> is the first 24 hex digits of the SHA-256 of what is asked: the last message, and the instructions before it. An
answer file holds the message as the model gave it, word for word. Prints `http://127.0.0.1:<port>/v1` once it listens.
"""
import glob, hashlib, http.server, json, os, sys, threading, time


def key(body):
    asked = json.dumps(body["messages"], ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(asked.encode()).hexdigest()[:24]


def tokens(text):
    return max(1, len(text) // 4)


def answers(folder):
    known, lines = {}, os.path.join(folder, "answers.jsonl")
    if os.path.exists(lines):
        with open(lines, encoding="utf-8") as file:
            known.update((line["key"], line["content"]) for line in map(json.loads, file))
    for path in glob.glob(os.path.join(folder, "answers", "*.json")):
        with open(path, encoding="utf-8") as file:
            known[os.path.basename(path)[: -len(".json")]] = file.read()
    return known


def awaited(folder, name):
    path, end = os.path.join(folder, "answers", name + ".json"), time.monotonic() + 3600
    while time.monotonic() < end:
        # Who writes it may do so in pieces: what is no JSON yet is waited for.
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                content = file.read()
            try:
                json.loads(content)
                return content
            except ValueError:
                pass
        time.sleep(0.2)
    return None


def message(name, body, content):
    asked = sum(tokens(message["content"]) for message in body["messages"])
    return {
        "id": name, "object": "chat.completion", "created": int(time.time()), "model": body["model"],
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": content}}],
        "usage": {"prompt_tokens": asked, "completion_tokens": tokens(content), "total_tokens": asked + tokens(content)},
    }


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        name = key(body)
        content = self.server.answers.get(name)
        if self.server.mode != "replay":
            with open(os.path.join(self.server.folder, "requests", name + ".json"), "w", encoding="utf-8") as file:
                json.dump(body, file, ensure_ascii=False, indent=1)
        if self.server.mode == "dump":
            content = "{\"tasks\":[]}"
        elif self.server.mode == "ask" and content is None:
            content = awaited(self.server.folder, name)
        if content is None:
            print(f"no answer for {name}", file=sys.stderr)
            return self.say(503, {"error": {"message": "no such recording"}})
        self.say(200, message(name, body, content))

    def say(self, status, body):
        body = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass


def main():
    if len(sys.argv) > 2 and sys.argv[1] == "key":
        for name in sys.argv[2:]:
            with open(name, encoding="utf-8") as file:
                print(key(json.load(file)), name)
        return
    if len(sys.argv) < 3 or sys.argv[1] not in ("dump", "ask", "replay"):
        sys.exit(__doc__)
    port = int(sys.argv[sys.argv.index("--port") + 1]) if "--port" in sys.argv else 0
    server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler)
    server.mode, server.folder = sys.argv[1], sys.argv[2]
    server.answers = answers(server.folder)
    if server.mode != "replay":
        os.makedirs(os.path.join(server.folder, "requests"), exist_ok=True)
    print(f"http://127.0.0.1:{server.server_port}/v1", flush=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        threading.Event().wait()
    except KeyboardInterrupt:
        pass


main()
