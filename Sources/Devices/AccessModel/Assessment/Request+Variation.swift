extension Request {
  /// Returns the same request for other permissions, with all other flags unchanged.
  func asking(for permissions: Permissions) -> Request {
    switch self {
    case .access(let path, _, let effective, let noFollow):
      return .access(path: path, mode: permissions, effective: effective, noFollow: noFollow)
    case .open(let path, let flags):
      let modes: Set<OpenFlag> = [.readOnly, .writeOnly, .readWrite, .accessMode3, .truncate]
      let mode = permissions.openFlags.subtracting([.nonBlocking])
      return .open(path: path, flags: flags.subtracting(modes).union(mode))
    }
  }
}
