import FormSamples
import Testing

@testable import FormModel

@Suite struct NumberTests {
  /// The order of two numbers by school arithmetic: digits lined up at the point.
  private func compare(_ a: String, _ b: String) -> Int {
    let (x, y) = (Plain(a), Plain(b))
    if x.sign != y.sign { return x.sign < y.sign ? -1 : 1 }
    let whole = max(x.whole.count, y.whole.count)
    let fraction = max(x.fraction.count, y.fraction.count)
    func padded(_ plain: Plain) -> [UInt8] {
      Array(repeating: 48, count: whole - plain.whole.count) + plain.whole + plain.fraction
        + Array(repeating: 48, count: fraction - plain.fraction.count)
    }
    let (left, right) = (padded(x), padded(y))
    if left == right { return 0 }
    return left.lexicographicallyPrecedes(right) ? -x.sign : x.sign
  }

  /// A number written out without an exponent.
  private struct Plain {
    var sign = 1
    var whole: [UInt8] = []
    var fraction: [UInt8] = []

    init(_ text: String) {
      var mantissa = Array(text.utf8)
      var power = 0
      if let mark = mantissa.firstIndex(where: { $0 == 101 || $0 == 69 }) {
        power = Int(String(decoding: mantissa[(mark + 1)...], as: UTF8.self)) ?? 0
        mantissa = Array(mantissa[..<mark])
      }
      if mantissa.first == 45 {
        sign = -1
        mantissa.removeFirst()
      }
      let point = mantissa.firstIndex(of: 46) ?? mantissa.count
      whole = Array(mantissa[..<point])
      fraction = Array(mantissa[min(point + 1, mantissa.count)...])
      while power > 0 {
        whole.append(fraction.isEmpty ? 48 : fraction.removeFirst())
        power -= 1
      }
      while power < 0 {
        fraction.insert(whole.popLast() ?? 48, at: 0)
        power += 1
      }
      if (whole + fraction).allSatisfy({ $0 == 48 }) { sign = 0 }
    }
  }

  @Test(arguments: 0..<40 as Range<UInt64>)
  func theSortKeyHasTheOrderOfTheNumbers(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var texts = (0..<20).map { _ in RandomJSON.numberText(using: &random) }
    texts += ["0", "-0", "0.000e5", "1", "-1", "10", "1e1", "0.1e2", "1.0000", "0.5", "-0.5"]
    for a in texts {
      let first = try #require(DecimalNumber(a))
      for b in texts {
        let second = try #require(DecimalNumber(b))
        let order = compare(a, b)
        let keys = (first.sortKey, second.sortKey)
        #expect(keys.0.lexicographicallyPrecedes(keys.1) == (order < 0), "\(a) \(b)")
        #expect((keys.0 == keys.1) == (order == 0), "\(a) \(b)")
        #expect(first.precedes(second) == (order < 0), "\(a) \(b)")
        #expect(first.isEquivalent(to: second) == (order == 0), "\(a) \(b)")
      }
    }
  }

  @Test func exponentsOfAnySizeHaveTheirOrder() throws {
    let ascending = [
      "-1e9999999", "-1e40000", "-9e32767", "-1e32767", "-1e32766", "-1", "-1e-32768", "-1e-32769",
      "-1e-50000", "-1e-9999999", "0", "1e-9999999", "2e-50000", "1e-32770", "1e-32769", "1e-32768",
      "1e-32767", "1", "1e32766", "1e32767", "1e32768", "1e40000", "1e50000", "1e9999999",
    ].compactMap(DecimalNumber.init)
    #expect(ascending.count == 24)
    for (a, b) in zip(ascending, ascending.dropFirst()) {
      #expect(a.precedes(b), "\(a) \(b)")
      #expect(!b.precedes(a), "\(a) \(b)")
    }
  }

  @Test(arguments: [
    ("0", 0), ("1.50", 2), ("1e2", 0), ("1.5e1", 0), ("1.25e1", 1), ("1e-3", 3), ("1.5E-2", 3),
    ("1e+2", 0), ("100e-2", 2),
  ])
  func fractionDigitsAreAsWritten(text: String, count: Int) throws {
    #expect(try #require(DecimalNumber(text)).fractionDigits == count)
  }

  @Test func hugeExponentsDontTrap() throws {
    let big = "1" + String(repeating: "0", count: 40)
    let small = try #require(DecimalNumber("1e-\(big)"))
    #expect(small.fractionDigits > 1000 && small.integerValue == nil && small.isInRange)
    let large = try #require(DecimalNumber("-1e\(big)"))
    #expect(large.fractionDigits == 0 && large.integerValue == nil && !large.isInRange)
    #expect(large.precedes(small))
  }

  @Test(arguments: [
    ("9223372036854775807", Int64.max as Int64?), ("-9223372036854775808", .min),
    ("9223372036854775808", nil), ("-9223372036854775809", nil), ("1e3", 1000), ("1.0", 1),
    ("1.5", nil), ("-0", 0), ("0e99999", 0), ("12.50e1", 125), ("922337203685477580.7e1", .max),
    ("1e-1", nil), ("1e19", nil), ("-9.223372036854775808e18", .min),
  ])
  func wholeNumbersOf64Bits(text: String, value: Int64?) throws {
    #expect(try #require(DecimalNumber(text)).integerValue == value)
  }

  @Test func keepsItsDigits() throws {
    #expect(
      try FieldValue(parsing: "3.1000", as: .decimal) != FieldValue(parsing: "3.1", as: .decimal))
    let (a, b) = try (
      FieldValue(parsing: "3.1000", as: .decimal), FieldValue(parsing: "3.1", as: .decimal)
    )
    #expect(a.isEquivalent(to: b))
    #expect(FieldValue.integer(3).isEquivalent(to: try FieldValue(parsing: "3.0", as: .decimal)))
    #expect(!FieldValue.integer(3).isEquivalent(to: .string("3")))
  }
}
