package import AccessModel

/// The source of the nodes on a path: the running machine or a described one.
package protocol PathSource: ~Copyable {
  /// A Boolean value that indicates whether the subject is a process other than the observer.
  ///
  /// If so, `/proc/self` does not refer to the subject.
  var isForAnother: Bool { get }

  /// Inspects a canonical path: absolute, without symbolic links among its directories.
  mutating func look(at path: String) -> PathSighting
  /// Records that an element of a node that was found could not be observed.
  mutating func markUnobserved(_ element: Node.Element, at path: String, reason: String)
  /// Adds a node whose path is the only known fact.
  mutating func insertUnknown(_ path: String, reason: String)
}

/// The result of inspecting a path.
package enum PathSighting {
  case found(Node)
  case absent
  /// The path could not be inspected.
  case failed(Errno)
}
