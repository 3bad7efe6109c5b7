"""Any method with any formulation: dense equations, and parts that call each other by address."""
