extension AccessCase {
  /// The object that a path leads to through its links, regardless of who may reach it.
  ///
  /// - Parameter path: An absolute path.
  /// - Returns: `nil` when nothing is there, or no one may follow the way to it.
  public func object(at path: String) -> Node? {
    var access = self
    // The walk of root in the initial namespace meets no permission; the restriction on links has
    // no exception, and says nothing about where a link leads.
    access.subject = Subject(uid: 0, gid: 0)
    access.subject.effective = .all
    access.protectedSymlinks = false
    access.unobserved.remove(.protectedSymlinks)
    access.request = .access(path: path, mode: [], effective: true, noFollow: false)
    let node = PreparedCase(access).lastCheck(for: access.request).object
    return node < 0 ? nil : nodes[Int(node)]
  }
}
