/// What one check came to: granted when the error number is 0.
struct Finding {
  var errno: Errno = 0
  var rule: Rule?
  /// The index of the deciding access control list entry, or -1.
  var entry: Int32 = -1
  /// Several group entries matched and none holds all that was wanted.
  var allMatchingGroupsLack = false

  static func denied(_ rule: Rule, _ errno: Errno) -> Finding {
    Finding(errno: errno, rule: rule)
  }

  static func granted(_ rule: Rule?) -> Finding {
    Finding(rule: rule)
  }

  var isDenied: Bool { errno != 0 }
}
