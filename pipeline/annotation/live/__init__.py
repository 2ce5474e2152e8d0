"""A live Label Studio: projects, tasks and tabs of a batch, and the annotations made there.

`address` says where the server is, `client` talks to it, `projects` finds or makes the project of a
batch, `tasks` sends its tasks, `tabs` shows each annotator's share, `annotations` fetches answers.
"""
