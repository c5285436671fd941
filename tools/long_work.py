"""How far long work is, on standard error: a line that changes on a terminal, lines now and then in a log."""
import sys
import time


class LongWork:
    """`done(what)` after each of `count` pieces of work."""

    def __init__(self, name, count):
        self.name, self.count, self.ended = name, count, 0
        self.began = self.said = time.monotonic()
        self.on_terminal = sys.stderr.isatty()

    def done(self, what):
        self.ended += 1
        now = time.monotonic()
        if not self.on_terminal and now - self.said < 30 and self.ended != self.count:
            return
        self.said = now
        left = (now - self.began) / self.ended * (self.count - self.ended)
        rest = f"; about {duration(left)} left" if self.ended != self.count else f", in {duration(now - self.began)}"
        text = f"{self.name}: {self.ended} of {self.count} done, last {what}{rest}"
        ending = "" if self.on_terminal and self.ended != self.count else "\n"
        print(("\r\033[K" if self.on_terminal else "") + text, end=ending, file=sys.stderr, flush=True)


def duration(seconds):
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    return f"{whole // 60} min {whole % 60} s" if whole < 3600 else f"{whole // 3600} h {whole % 3600 // 60} min"
