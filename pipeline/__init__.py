"""What the flows run: core, contracts, generic stages, tasks (docs/design.md)."""

import os

# Arrow reads this when it is first imported. The allocator that it comes with keeps what a thread
# freed: a process of a build peaks 15 to 70 MiB higher with it, and is no faster.
os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")
