internal import AccessModel

extension PlantedFault {
  static let creationFaults = [
    PlantedFault("O_CREAT is ignored") { $0.remove(.create) },
    PlantedFault("O_EXCL is ignored") { $0.remove(.exclusive) },
    creating("creating needs no permission on the directory") { access in
      access.mapDirectories { node in
        node.mode |= 0o333
        node.acl = nil
      }
    },
    creating("creating needs search permission alone") { access in
      access.mapDirectories { node in
        if node.acl == nil { node.mode |= (node.mode & 0o111) << 1 }
      }
    },
    creating("a read-only mount takes new files") { access in
      access.mapMounts { $0.readOnly = false }
    },
    creating("a read-only filesystem takes new files") { access in
      access.mapMounts { $0.superblockReadOnly = false }
    },
    creating("an immutable directory takes new names") { access in
      access.mapDirectories { $0.flags.remove(.immutable) }
    }.needing { $0.inodeFlags },
    creating("an append-only directory takes no new names") { access in
      access.mapDirectories { node in
        if node.flags.contains(.append) { node.flags.insert(.immutable) }
      }
    }.needing { $0.inodeFlags },
    creating("a filesystem holds every user and group") { access in
      access.mapMounts { mount in
        if mount.idmap == nil { mount.filesystemNamespace = nil }
      }
    },
    creating("a final slash is ignored when a file is created") { access in
      var path = access.request.path
      while path.count > 1 && path.hasSuffix("/") { path.removeLast() }
      access.request = access.request.replacing(path: path)
    },
    creating("protected_regular is off") { $0.protectedRegular = 0 },
    creating("protected_regular is always on") { $0.protectedRegular = 2 }
      .needing { $0.protectedRegular.contains { $0 < 2 } },
    creating("protected_fifos is off") { $0.protectedFifos = 0 },
    creating("protected_fifos is always on") { $0.protectedFifos = 2 }
      .needing { $0.protectedFifos.contains { $0 < 2 } },
    creating("protected_regular 2 is 1") { access in
      access.protectedRegular = min(access.protectedRegular, 1)
    },
    creating("protected_fifos 2 is 1") { access in
      access.protectedFifos = min(access.protectedFifos, 1)
    },
    creating("devices and sockets in sticky directories are open to O_CREAT") { access in
      let special = Set(
        access.nodes.filter { $0.type != .regular && $0.type != .fifo && $0.type != .directory }
          .map { BatchBuilder.directory(of: $0.path) })
      access.mapDirectories { node in
        if special.contains(node.path) { node.mode &= ~0o1000 }
      }
    },
    creating("somebody's own file in a sticky directory is protected") { access in
      let fsuid = access.subject.fsuid
      guard !access.isCapable else { return }
      access.mapNodes { node in
        guard node.type != .directory, node.uid == fsuid else { return }
        node.uid ^= 4
        node.mode |= 0o777
        node.acl = nil
      }
    },
  ]

  /// Creates a fault that affects only requests with `O_CREAT`.
  private static func creating(
    _ description: String, _ distort: @escaping @Sendable (inout AccessCase) -> Void
  ) -> PlantedFault {
    PlantedFault(description) { access in
      guard case .open(_, let flags) = access.request, flags.contains(.create) else { return }
      distort(&access)
    }
  }
}

extension AccessCase {
  fileprivate mutating func mapDirectories(_ change: (inout Node) -> Void) {
    mapNodes { node in
      if node.type == .directory { change(&node) }
    }
  }

  /// A Boolean value that indicates whether the subject has capabilities, which can replace
  /// ownership.
  fileprivate var isCapable: Bool { !subject.effective.isEmpty }
}
