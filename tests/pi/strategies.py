"""What hypothesis draws: texts, JSON values and sessions."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.pi.generate import SessionMaker

texts = st.text(st.characters(exclude_categories=())) | st.text(
    alphabet="ab日\U0001f333\ud83d\u2028"
)
values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**30), 10**30)
    | st.floats(allow_nan=False, allow_infinity=False)
    | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=12,
)
sessions = st.integers(0, 10**9).map(SessionMaker)
