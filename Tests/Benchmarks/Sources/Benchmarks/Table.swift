// SPDX-License-Identifier: MIT
import ProbeTools

/// Prints a line per workload as soon as it is measured.
struct Table {
  static func header() { line("", "raw", "Sporades", "ratio", "") }

  static func row(_ key: String, _ title: String, _ measure: Measure, unit: String) {
    line(
      key, "\(decimal(measure.raw.total, 1)) \(unit)", "\(decimal(measure.ours.total, 1)) \(unit)",
      decimal(measure.ratio, 2), title)
    for (raw, ours) in zip(measure.raw.parts, measure.ours.parts) {
      line(
        "  \(raw.name)", "\(decimal(raw.milliseconds, 1)) \(unit)",
        "\(decimal(ours.milliseconds, 1)) \(unit)",
        decimal(ours.milliseconds / raw.milliseconds, 2), "")
    }
  }

  private static func line(
    _ key: String, _ raw: String, _ ours: String, _ ratio: String, _ title: String
  ) {
    report(
      pad(key, -18) + pad(raw, 12) + pad(ours, 12) + pad(ratio, 8) + (title.isEmpty ? "" : "  ")
        + title)
  }

  /// Pads on the left to `width` columns, on the right where it is negative.
  private static func pad(_ text: String, _ width: Int) -> String {
    let space = String(repeating: " ", count: max(0, abs(width) - text.count))
    return width < 0 ? text + space : space + text
  }
}

/// A number with a fixed count of decimals.
func decimal(_ number: Double, _ places: Int) -> String {
  let scale = (0..<places).reduce(1) { scale, _ in scale * 10 }
  let whole = Int((number * Double(scale)).rounded())
  guard places > 0 else { return "\(whole)" }
  let fraction = String(abs(whole) % scale)
  let zeros = String(repeating: "0", count: places - fraction.count)
  return "\(whole < 0 ? "-" : "")\(abs(whole) / scale).\(zeros)\(fraction)"
}
