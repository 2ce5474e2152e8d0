"""The pages and the API of a board, as one Starlette application.

Read app.py for the routes and what surrounds them, board.py for what all requests share, views/ for
what templates are given. Pages work without scripts; what is typed by others is only ever text.
"""
