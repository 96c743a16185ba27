extension String {
  /// A Boolean value that indicates whether the string is the name of a USB device or interface.
  ///
  /// Examples are `1-4.2` and `1-4.2:1.0`.
  var isUSBPlace: Bool {
    let halves = split(separator: ":", omittingEmptySubsequences: false)
    guard let first = halves.first, halves.count <= 2 else { return false }
    let hub = first.split(separator: "-", omittingEmptySubsequences: false)
    guard hub.count == 2, hub[0].isNumber,
      hub[1].split(separator: ".", omittingEmptySubsequences: false).allSatisfy(\.isNumber)
    else { return false }
    return halves.count == 1
      || halves[1].split(separator: ".", omittingEmptySubsequences: false).allSatisfy(\.isNumber)
  }
}

extension StringProtocol {
  fileprivate var isNumber: Bool { !isEmpty && utf8.allSatisfy(\.isDecimal) }
}
