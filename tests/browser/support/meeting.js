// Content that the walks submit, with the tasks that it holds.

/** The day of the meeting below: a Tuesday. */
export const HELD = "2026-03-03T15:00:00Z";

/** A meeting with two things for Dana to do and one that she waits for. */
export const MEETING = `WEBVTT

00:00:04.000 --> 00:00:09.000
<v Priya Raman>Dana, where are we with the statement of work?

00:00:10.000 --> 00:00:17.000
<v Dana Reyes>I'll send the revised statement of work to Northwind by Friday.

00:00:18.000 --> 00:00:23.000
<v Tomas Lindqvist>I will share the load test numbers with the team by next Wednesday.

00:00:24.000 --> 00:00:31.000
<v Dana Reyes>And I'll book the workshop room tomorrow.
`;

/** The meeting as an item. */
export const weekly = { external_id: "weekly", title: "Weekly", occurred_at: HELD, transcript: MEETING };
