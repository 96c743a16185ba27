extension AccessCase {
  /// Returns the object that a path and its symbolic links lead to, regardless of permissions.
  ///
  /// - Parameter path: An absolute path.
  /// - Returns: The object; `nil` if it does not exist, or if no user can follow the path to it.
  public func object(at path: String) -> Node? {
    var access = self
    // Permissions do not stop root in the initial namespace. The restriction on links applies to
    // root too, but does not affect where a link leads.
    access.subject = Subject(uid: 0, gid: 0)
    access.subject.effective = .all
    access.protectedSymlinks = false
    access.unobserved.remove(.protectedSymlinks)
    access.request = .access(path: path, mode: [], effective: true, noFollow: false)
    let node = PreparedCase(access).lastCheck(for: access.request).object
    return node < 0 ? nil : nodes[Int(node)]
  }
}
