/// The result of a check: access is granted if the error number is 0.
struct Finding {
  var errno: Errno = 0
  var rule: Rule?
  /// The index of the deciding access control list entry, or -1.
  var entry: Int32 = -1
  /// A Boolean value that indicates whether several group entries match, but none has all requested
  /// permissions.
  var allMatchingGroupsLack = false

  static func denied(_ rule: Rule, _ errno: Errno) -> Finding {
    Finding(errno: errno, rule: rule)
  }

  static func granted(_ rule: Rule?) -> Finding {
    Finding(rule: rule)
  }

  var isDenied: Bool { errno != 0 }
}
