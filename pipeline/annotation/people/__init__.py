"""Who may take part, and what experts and people who are measured see."""
