extension Question {
  /// Returns the request that answers this question for one object.
  ///
  /// A program opens a device or a file, so the request for one is an open(2). A directory is used
  /// according to its permissions, so the request for one is a faccessat2(2) with `AT_EACCESS`.
  ///
  /// - Parameters:
  ///   - path: The absolute path of the object.
  ///   - type: The type of the object; `nil` if it does not exist.
  /// - Returns: An open to use a device or a file, to list, to create or to append; an access check
  ///   to use or search a directory, to execute a file, or to use the album.
  public func request(for path: String, type: FileType?) -> Request {
    switch purpose {
    case .use, .search: break
    case .append:
      let flags = (wanted ?? .write).union(.write).openFlags
      return .open(path: path, flags: flags.union([.append]))
    case .list: return .open(path: path, flags: [.readOnly, .directory, .nonBlocking])
    case .create:
      guard type == .directory || target == .kind(.album) else {
        return .open(path: path, flags: [.writeOnly, .create, .nonBlocking])
      }
      let separator = path.utf8.last == UInt8(ascii: "/") ? "" : "/"
      return .open(
        path: path + separator + Self.newName, flags: [.writeOnly, .create, .exclusive])
    }
    var wanted = wantedPermissions(for: type)
    if purpose == .search { wanted.insert(.search) }
    if purpose == .search, case .path = target {
      // With a final slash, the kernel refuses an object that is not a directory. The path of a
      // directory is not changed.
      let needsSlash = type != nil && type != .directory && path.utf8.last != UInt8(ascii: "/")
      return .access(
        path: needsSlash ? path + "/" : path, mode: wanted, effective: true, noFollow: false)
    }
    // There is no open(2) for execution. The same bit means search for a directory.
    if wanted.contains(.execute) {
      return .access(path: path, mode: wanted, effective: true, noFollow: false)
    }
    if case .kind(.album) = target {
      return .access(path: path, mode: wanted, effective: true, noFollow: false)
    }
    if type == .directory {
      return .access(path: path, mode: wanted, effective: true, noFollow: false)
    }
    return .open(path: path, flags: wanted.openFlags)
  }

  /// Returns the permissions that this question asks about, given the type of the object.
  public func wantedPermissions(for type: FileType?) -> Permissions {
    if let wanted { return wanted }
    if case .kind(let kind) = target { return kind.needs }
    return type == .directory ? [.read, .search] : [.read, .write]
  }
}

extension Permissions {
  /// The flags for an open(2) with these permissions that never blocks on the driver.
  ///
  /// Without read and write, the result is an `O_PATH` open, which needs no permission on the
  /// object.
  public var openFlags: Set<OpenFlag> {
    switch (contains(.read), contains(.write)) {
    case (true, true): [.readWrite, .nonBlocking]
    case (false, true): [.writeOnly, .nonBlocking]
    case (true, false): [.readOnly, .nonBlocking]
    case (false, false): [.path]
    }
  }
}

extension Request {
  /// The permissions that the request needs on the object itself.
  ///
  /// Truncation requires write permission (`build_open_flags` in fs/open.c).
  public var permissions: Permissions {
    switch self {
    case .access(_, let mode, _, _):
      return mode
    case .open(_, let flags):
      var wanted: Permissions = []
      for flag in flags {
        switch flag {
        case .path: return []
        case .readOnly: wanted.insert(.read)
        case .readWrite, .accessMode3: wanted.formUnion([.read, .write])
        case .writeOnly, .truncate: wanted.insert(.write)
        default: break
        }
      }
      return wanted
    }
  }

  /// Returns the same request for another path.
  public func at(_ path: String) -> Request {
    switch self {
    case .open(_, let flags): .open(path: path, flags: flags)
    case .access(_, let mode, let effective, let noFollow):
      .access(path: path, mode: mode, effective: effective, noFollow: noFollow)
    }
  }
}
