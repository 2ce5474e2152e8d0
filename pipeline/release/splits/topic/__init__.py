"""TC: by date, and by terms that train lacks (Section 3.1.1)."""
