"""Object stores: addresses, access by the environment's credentials, and local copies."""
