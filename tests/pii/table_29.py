"""The examples of Table 29 of the paper (arXiv:2105.09680), one a type."""

from __future__ import annotations

#: Table 29 of the paper: the pseudonymised example of every type is itself in the type's form.
TABLE_29 = {
    "phone": "055-604-8764",
    "rrn": "600408-2764759",
    "frn": "110527-1815659",
    "email": "agweon@example.org",
    "ip": "166.186.169.69",
    "mac": "c5:d7:14:84:f8:cf",
    "mention": "@gildong",
    "address": "경상북도성남시서초대64가",
    "bank_account": "110-245-124678",
    "passport": "M123A4567",
    "driver_license": "11-17-174133-01",
    "business_number": "123-45-67890",
    "health_insurance": "1-2345678901",
    "card": "1234-5678-9012-3456",
    "vehicle_plate": "55구 1601",
    "url": "www.example.com",
}
