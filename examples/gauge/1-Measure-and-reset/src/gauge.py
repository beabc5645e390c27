"""A gauge that counts what it sees."""

LIMIT = 100


class Gauge:
    def __init__(self) -> None:
        self.value = 0
        self.peak = 0

    def add(self, amount: int) -> None:
        self.value = min(self.value + amount, LIMIT)
        self.peak = max(self.peak, self.value)

    def reset(self) -> None:
        self.value = 0
