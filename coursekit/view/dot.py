"""DOT from diagrams, by graphviz. The same diagrams give the same bytes.

Importing this module imports graphviz; a picture does so when its DOT is asked for, so
a tree as text does without.
"""

from __future__ import annotations

from collections.abc import Mapping

import graphviz

from coursekit.view import style
from coursekit.view.diagram import POINTS, Diagram, Node

FONT = "Helvetica,Arial,sans-serif"

_GRAPH = {
    "rankdir": "TB",
    "bgcolor": "transparent",
    "fontname": FONT,
    "fontsize": "10",
    "fontcolor": style.CAPTION,
    "labelloc": "t",
    "labeljust": "l",
    "nodesep": "0.3",
    "ranksep": "0.28",
    "pad": "0.1",
}
_NODE = {"fontname": FONT, "fontsize": str(POINTS), "fixedsize": "true"}
_EDGE = {"arrowsize": "0.6"}
_SIDE = {"style": "rounded,dashed", "color": style.FADED_LINE, "fontcolor": style.CAPTION}


def drawing(caption: str) -> graphviz.Digraph:
    """A drawing in the look of all our trees, still without nodes."""
    head = _GRAPH | {"label": literal(caption)}
    empty: graphviz.Digraph = graphviz.Digraph(
        "session", graph_attr=head, node_attr=_NODE, edge_attr=_EDGE
    )
    return empty


def dot_of(diagrams: Mapping[str, Diagram], caption: str) -> str:
    """Diagrams by title, under one caption: side by side in frames, or one without a frame."""
    whole = drawing(caption)
    if len(diagrams) == 1:
        _fill(whole, *diagrams.values())
    else:
        for title, diagram in diagrams.items():
            with whole.subgraph(name=f"cluster_{title}") as side:
                side.attr(label=literal(title), margin="12", **_SIDE)
                _fill(side, diagram)
    return str(whole.source)


def literal(*lines: str) -> str:
    """Lines of text as a label that shows them as they are.

    graphviz takes care of quotes, backslashes and what looks like HTML. Entities are left:
    `dot` would read the `&lt;` of a text as `<`.
    """
    text = "\\n".join(graphviz.escape(line.replace("&", "&amp;")) for line in lines)
    return graphviz.nohtml(text)


def _fill(graph: graphviz.Digraph, diagram: Diagram) -> None:
    for cluster in diagram.clusters:
        with graph.subgraph(name=cluster.name) as inside:
            inside.attr(label=literal(cluster.label), **cluster.look)
            for node in cluster.nodes:
                _add_node(inside, node)
    for node in diagram.nodes:
        _add_node(graph, node)
    for edge in diagram.edges:
        graph.edge(edge.tail, edge.head, **edge.look)


def _add_node(graph: graphviz.Digraph, node: Node) -> None:
    tooltip = None if node.tooltip is None else literal(node.tooltip)
    graph.node(node.name, literal(*node.lines), tooltip=tooltip, **node.look)
