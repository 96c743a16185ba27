internal import AccessModel

extension FileType {
  /// The letter for the type in the output of `ls -l`.
  var letter: String {
    switch self {
    case .directory: "d"
    case .regular: "-"
    case .characterDevice: "c"
    case .blockDevice: "b"
    case .fifo: "p"
    case .socket: "s"
    case .symbolicLink: "l"
    }
  }

  /// The type in words.
  var words: String {
    switch self {
    case .directory: "directory"
    case .regular: "regular file"
    case .characterDevice: "character device"
    case .blockDevice: "block device"
    case .fifo: "FIFO"
    case .socket: "socket"
    case .symbolicLink: "symbolic link"
    }
  }
}

extension Node {
  /// The type and mode in the format of `ls -l`, with `+` for an access control list.
  ///
  /// If the mode or the ACL was not observed, question marks replace it.
  var modeText: String {
    guard !unobserved.contains(.status) else { return type.letter + "?????????" }
    func bits(_ shift: UInt16, _ special: UInt16, _ letter: String) -> String {
      let permissions = Permissions(rawValue: UInt8(mode >> shift & 7))
      guard mode & special != 0 else { return permissions.description }
      return permissions.description.dropLast()
        + (permissions.contains(.execute) ? letter : letter.uppercased())
    }
    var text = type.letter + bits(6, 0o4000, "s") + bits(3, 0o2000, "s") + bits(0, 0o1000, "t")
    if acl != nil {
      text += "+"
    } else if unobserved.contains(.acl) {
      text += "?"
    }
    return text
  }

  /// The last component of the path; `/` for the root.
  var name: Substring {
    path == "/" ? path[...] : path.split(separator: "/").last ?? path[...]
  }
}

extension ACLEntry {
  /// Returns the entry in the format of getfacl(1).
  func text(_ names: Names, _ style: Style) -> String {
    let qualifier =
      switch (tag, id) {
      case (.user, let id?): names.user(id, style)
      case (.group, let id?): names.group(id, style)
      default: ""
      }
    return "\(tag.word):\(qualifier):\(permissions)"
  }

  /// A Boolean value that indicates whether the mask limits this entry.
  ///
  /// It limits named users and all groups, but not the owner and others.
  var isMasked: Bool {
    tag == .group || (tag == .user && id != nil)
  }
}
