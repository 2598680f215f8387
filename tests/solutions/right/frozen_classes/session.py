from dataclasses import dataclass

import session as given

_SHAPE = frozenset(
    ("type", "id", "parentId", "timestamp", "summary", "firstKeptEntryId", "tokensBefore")
)


@dataclass(frozen=True)
class Place:
    """Where in a record we are; it can refuse what stands there."""

    entry: str
    path: tuple[str, ...] = ()

    def __truediv__(self, key):
        return Place(self.entry, (*self.path, key))

    def refuse(self, problem):
        where = ".".join((self.entry, *self.path))
        raise ValueError(f"At {where} the record {problem}.")


@dataclass(frozen=True)
class Field:
    """One value of the record, together with its place."""

    place: Place
    value: object

    def member(self, key):
        return Field(self.place / key, self.value[key])

    def closed(self, keys):
        if type(self.value) is not dict:
            self.place.refuse("holds no object")
        for key in sorted(keys - self.value.keys()):
            (self.place / key).refuse("has a hole")
        for key in sorted(self.value.keys() - keys):
            (self.place / key).refuse("has something of its own invention")
        return self

    def words(self):
        if not isinstance(self.value, str) or self.value.isspace() or self.value == "":
            self.place.refuse("is silent where it should speak")
        return self.value

    def strings(self):
        if type(self.value) is not list:
            self.place.refuse("holds no list")
        for item in self.value:
            if not isinstance(item, str):
                self.place.refuse("lists something else than strings")
        return self.value[:]

    def number(self, least=float("-inf")):
        if type(self.value) not in (int, float) or not given.is_finite(self.value):
            self.place.refuse("holds no finite number")
        if self.value < least:
            self.place.refuse("holds too small a number")
        return self.value


def parse_compaction(record):
    whole = Field(Place(record["id"]), record).closed(_SHAPE)
    inner = whole.member("summary").closed(frozenset(given.SUMMARY_KEYS))
    return given.CompactionSessionEntry(
        record["id"],
        whole.member("parentId").words(),
        whole.member("timestamp").number(),
        given.CompactionSummary(
            inner.member("goal").words(),
            *(inner.member(key).strings() for key in given.SUMMARY_KEYS[1:]),
        ),
        whole.member("firstKeptEntryId").words(),
        whole.member("tokensBefore").number(0),
    )
