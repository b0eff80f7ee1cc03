// SPDX-License-Identifier: MIT

/// The colours and letters of pictures.
enum SVGStyle {
  /// The rules of a light picture, and those that make it dark where the reader has dark colours.
  static let sheet = """
    text { font-family: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; fill: #1f2933; }
    .page { fill: #fbfbfa; }
    .title { font-size: 20px; font-weight: 600; }
    .box { fill: #ffffff; stroke: #c3cad3; stroke-width: 1; }
    .head { fill: #edf1f6; }
    .abstract { fill: #f4f1f8; }
    .rule { stroke: #e1e5ea; stroke-width: 1; }
    .edge { stroke: #c3cad3; stroke-width: 1; }
    .name { font-size: 13.5px; font-weight: 600; }
    .row { font-size: 12px; }
    .note { font-size: 11px; fill: #69758a; }
    .end { text-anchor: end; }
    .italic { font-style: italic; }
    .line, .mark { fill: none; stroke: #64748b; stroke-width: 1.3; stroke-linecap: round; stroke-linejoin: round; }
    .inherits { fill: none; stroke: #a08bc0; stroke-width: 1.3; stroke-linejoin: round; }
    .hollow { fill: #fbfbfa; }
    g.line-group:hover .line, g.line-group:hover .mark, g.line-group:hover .inherits { stroke: #d9480f; stroke-width: 2; }
    @media (prefers-color-scheme: dark) {
      text { fill: #e4e8ee; }
      .page { fill: #14181d; }
      .box { fill: #1c2229; stroke: #3d4854; }
      .head { fill: #27303a; }
      .abstract { fill: #2b2838; }
      .rule { stroke: #2e3741; }
      .edge { stroke: #3d4854; }
      .note { fill: #93a1b2; }
      .line, .mark { stroke: #8fa1b8; }
      .inherits { stroke: #b39ddb; }
      .hollow { fill: #14181d; }
    }
    """
}
