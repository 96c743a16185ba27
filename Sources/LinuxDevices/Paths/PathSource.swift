package import AccessModel

/// What a walk looks at: the running machine, or one that is described.
package protocol PathSource: ~Copyable {
  /// Whether the subject is another process than the one that looks, which `/proc/self` shows.
  var isForAnother: Bool { get }

  /// Looks at a canonical path: absolute, and no symbolic link among its directories.
  mutating func look(at path: String) -> PathSighting
  /// Notes what is not known of an object that was found.
  mutating func markUnobserved(_ element: Node.Element, at path: String, reason: String)
  /// Lists an object of which only the name is known.
  mutating func insertUnknown(_ path: String, reason: String)
}

/// How a look at a path ended.
package enum PathSighting {
  case found(Node)
  case absent
  /// It could not be looked at.
  case failed(Errno)
}
