extension Question {
  /// The request that answers this question for one object.
  ///
  /// A program opens a device or a file, so those are judged as open(2) would; a directory is
  /// used by what it allows, so it is judged as faccessat2(2) would with `AT_EACCESS`.
  ///
  /// - Parameters:
  ///   - path: The absolute path of the object.
  ///   - type: The type of the object; `nil` when it does not exist.
  /// - Returns: An open for a device or a file, and for listing, creating and appending; an access
  ///   check for a directory that is used and for a file that is executed.
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
      // The final slash has the kernel say so, too; a directory keeps its name.
      let needsSlash = type != nil && type != .directory && path.utf8.last != UInt8(ascii: "/")
      return .access(
        path: needsSlash ? path + "/" : path, mode: wanted, effective: true, noFollow: false)
    }
    // Executing has no open(2) of its own to ask about; searching is the same bit.
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

  /// The permissions that this question is about, for an object of a type.
  public func wantedPermissions(for type: FileType?) -> Permissions {
    if let wanted { return wanted }
    if case .kind(let kind) = target { return kind.needs }
    return type == .directory ? [.read, .search] : [.read, .write]
  }
}

extension Permissions {
  /// The flags of an open(2) that asks for these permissions and never blocks on the driver.
  ///
  /// Without read and write it is an `O_PATH` open, which asks for nothing.
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
  /// Truncation adds write (`build_open_flags` in fs/open.c).
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

  /// The same request for another path.
  public func at(_ path: String) -> Request {
    switch self {
    case .open(_, let flags): .open(path: path, flags: flags)
    case .access(_, let mode, let effective, let noFollow):
      .access(path: path, mode: mode, effective: effective, noFollow: noFollow)
    }
  }
}
