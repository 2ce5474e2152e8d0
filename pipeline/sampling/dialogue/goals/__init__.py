"""Goals as structures, and what the wizard has before them (Section 3.8.1)."""
