/// A kernel name with a natural sort order: `video2` precedes `video10`.
struct KernelName: Comparable, Hashable {
  private var stem: String
  private var number: UInt64
  private var whole: String

  init(_ name: String) {
    let digits = name.utf8.reversed().prefix { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
    whole = name
    stem = String(name.utf8.dropLast(digits.count)) ?? name
    number = UInt64(String(name.utf8.suffix(digits.count)) ?? "") ?? 0
  }

  static func < (left: KernelName, right: KernelName) -> Bool {
    (left.stem, left.number, left.whole) < (right.stem, right.number, right.whole)
  }
}
