"""How calls run: on processes here or a cluster, as Prefect flows."""
