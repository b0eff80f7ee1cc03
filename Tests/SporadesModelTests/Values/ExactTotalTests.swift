// SPDX-License-Identifier: MIT
import SporadesModel
import Testing

/// Sums that are rounded once, so that the order of the numbers changes nothing.
@Suite struct ExactTotalTests {
  private func sum(_ numbers: [Double]) -> Value {
    var total = ExactTotal()
    for number in numbers { total.add(number) }
    return total.value
  }

  private static let sums: [(numbers: [Double], expected: Double)] = {
    let (largest, tiny) = (Double.greatestFiniteMagnitude, Double.leastNonzeroMagnitude)
    let even: Double = 9_007_199_254_740_992
    var sums: [(numbers: [Double], expected: Double)] = []
    func add(_ numbers: [Double], _ expected: Double) { sums.append((numbers, expected)) }
    add([1e100, 1, -1e100], 1)
    add(Array(repeating: 0.1, count: 10), 1)
    add([1e16, 1, 1e-16, -1e16], 1)
    add([largest, 1e300, -1e300], largest)
    add([largest, largest, -largest], largest)
    add([tiny, tiny], 2 * tiny)
    add([-tiny, 1, -1], -tiny)
    add([Double.leastNormalMagnitude, -tiny], Double.leastNormalMagnitude.nextDown)
    add([even, 1], even)
    add([even, 3], even + 4)
    add([even, 1, 1e-300], even + 2)
    add([-even, -1, -1e-300], -even - 2)
    add([-0.0, 0.0], 0)
    add([-1.5, -2.25], -3.75)
    add([1e308, 1e308], .infinity)
    add([-1e308, -1e308], -.infinity)
    add([.infinity, 1], .infinity)
    return sums
  }()

  @Test(arguments: sums)
  func sumsAreRoundedOnce(numbers: [Double], expected: Double) {
    #expect(sum(numbers) == .double(expected))
    #expect(sum(numbers.reversed()) == .double(expected))
  }

  @Test func orderChangesNothing() {
    var random = RandomNumbers(state: 3)
    for _ in 0..<200 {
      var numbers = (0..<Int.random(in: 1...60, using: &random)).map { _ in
        Double(
          sign: Bool.random(using: &random) ? .plus : .minus,
          exponent: .random(in: -1074...1000, using: &random),
          significand: .random(in: 1..<2, using: &random))
      }
      let first = sum(numbers)
      for _ in 0..<5 {
        numbers.shuffle(using: &random)
        #expect(sum(numbers) == first)
      }
      let opposite = sum(numbers.map { -$0 })
      if case .double(let one) = first, case .double(let other) = opposite {
        #expect(one == -other)
      }
    }
  }

  /// Numbers of few digits, whose sums integers hold.
  @Test func sumsAreThoseOfIntegers() {
    var random = RandomNumbers(state: 4)
    for _ in 0..<500 {
      let numbers = (0..<20).map { _ in
        Int64.random(in: -(1 << 60)...(1 << 60), using: &random) & ~0xFF
      }
      let whole = numbers.reduce(Int128(0)) { $0 + Int128($1) }
      #expect(sum(numbers.map { Double($0) / 1024 }) == .double(Double(whole) / 1024))
      var mixed = ExactTotal()
      for (place, number) in numbers.enumerated() {
        if place % 2 == 0 { mixed.add(number) } else { mixed.add(Double(number)) }
      }
      #expect(mixed.value == .double(Double(whole)))
    }
  }

  @Test func wholeNumbersStayWhole() {
    var total = ExactTotal()
    #expect(total.value == .null && total.average == .null)
    for number in [Int64.max, .max, -3, .min] { total.add(number) }
    #expect(total.value == .integer(.max - 4))
    #expect(total.average == .double(Double(Int64.max - 4) / 4))
    total.add(Int64.max)
    #expect(total.value == .double(Double(Int64.max) * 2))
    total.add(0.5)
    #expect(total.count == 6)
    #expect(sum([.infinity, -.infinity]) == .null)
  }

  /// The mean of many numbers that are equal is this number.
  @Test func meansAreOfTheExactSum() {
    var total = ExactTotal()
    for _ in 0..<1000 { total.add(0.1) }
    #expect(total.average == .double(0.1))
    #expect(
      AggregateFunction.average.value(of: [.double(1e16), .double(1), .double(-1e16)])
        == .double(1.0 / 3))
    #expect(
      AggregateFunction.sum.value(of: [.double(1e16), .integer(1), .null, .double(-1e16)])
        == .double(1))
  }
}
