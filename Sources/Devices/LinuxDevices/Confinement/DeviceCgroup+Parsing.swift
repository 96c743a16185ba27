internal import AccessModel

extension DeviceCgroup {
  /// Parses the file `devices.list` of a version 1 control group.
  ///
  /// If a group allows by default, the kernel prints only the line `a *:* rwm`, whatever its
  /// exceptions are (`devcgroup_seq_show`). In this case, the result is `nil`. Any other list
  /// belongs to a group that denies by default. A malformed line invalidates the whole list.
  static func parse(list bytes: [UInt8]) -> (cgroup: DeviceCgroup?, isMalformed: Bool) {
    var exceptions: [Exception] = []
    for line in bytes.split(separator: ByteScanner.newline) {
      let words = ByteScanner.words(line)
      guard words.count == 3 else { return (nil, true) }
      let type = String(decoding: words[0], as: UTF8.self)
      if type == "a" { return (nil, false) }
      let numbers = ByteScanner.split(words[1], at: UInt8(ascii: ":"))
      guard type == "c" || type == "b", numbers.count == 2,
        let major = number(numbers[0]), let minor = number(numbers[1])
      else { return (nil, true) }
      exceptions.append(
        Exception(
          isBlock: type == "b", major: major, minor: minor,
          read: words[2].contains(UInt8(ascii: "r")), write: words[2].contains(UInt8(ascii: "w")),
          makeNode: words[2].contains(UInt8(ascii: "m"))))
    }
    return (DeviceCgroup(defaultBehavior: .deny, exceptions: exceptions), false)
  }

  /// Parses a device number; `nil` if it is malformed, and `.some(nil)` for `*`, which means any
  /// number.
  private static func number(_ word: ArraySlice<UInt8>) -> UInt32?? {
    if word.elementsEqual([UInt8(ascii: "*")]) { return .some(nil) }
    return ByteScanner.number(word).map { .some($0) }
  }
}
