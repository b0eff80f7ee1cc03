// SPDX-License-Identifier: MIT

/// Encodes names that are not of ASCII as symbols have them: RFC 3492 with `_` and with letters for digits.
enum Punycode {
  private static let base = 36
  private static let low = 1
  private static let high = 26

  /// The name in letters, digits and `_`.
  static func encode(_ name: String) -> [UInt8] {
    let scalars = name.unicodeScalars.map { Int($0.value) }
    var output = scalars.filter { $0 < 0x80 }.map { UInt8($0) }
    var done = output.count
    let basic = done
    if basic > 0 { output.append(UInt8(ascii: "_")) }
    var (next, delta, bias) = (0x80, 0, 72)
    // The rounds go through the different scalars in their order.
    for scalar in Set(scalars.filter { $0 >= 0x80 }).sorted() {
      delta += (scalar - next) * (done + 1)
      next = scalar
      for other in scalars {
        if other < next { delta += 1 }
        guard other == next else { continue }
        append(delta, bias, to: &output)
        bias = adapt(delta, done + 1, isFirst: done == basic)
        delta = 0
        done += 1
      }
      delta += 1
      next += 1
    }
    return output
  }

  private static func append(_ value: Int, _ bias: Int, to output: inout [UInt8]) {
    var (rest, step) = (value, base)
    while true {
      let limit = min(max(step - bias, low), high)
      if rest < limit { break }
      output.append(digit(limit + (rest - limit) % (base - limit)))
      rest = (rest - limit) / (base - limit)
      step += base
    }
    output.append(digit(rest))
  }

  private static func digit(_ value: Int) -> UInt8 {
    value < 26 ? UInt8(ascii: "a") + UInt8(value) : UInt8(ascii: "A") + UInt8(value - 26)
  }

  private static func adapt(_ value: Int, _ count: Int, isFirst: Bool) -> Int {
    var delta = isFirst ? value / 700 : value / 2
    delta += delta / count
    var steps = 0
    while delta > ((base - low) * high) / 2 {
      delta /= base - low
      steps += base
    }
    return steps + (base - low + 1) * delta / (delta + 38)
  }
}
