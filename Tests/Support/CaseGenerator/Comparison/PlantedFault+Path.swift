internal import AccessModel

extension PlantedFault {
  // Mounts

  static let mountFaults = [
    PlantedFault("nodev is ignored") { access in
      access.mapMounts { $0.nodev = false }
    },
    PlantedFault("the superblock's own nodev is ignored") { access in
      access.mapMounts { $0.superblockNodev = false }
    },
    PlantedFault("read-only mounts are ignored") { access in
      access.mapMounts { $0.readOnly = false }
    },
    PlantedFault("read-only superblocks are ignored") { access in
      access.mapMounts { $0.superblockReadOnly = false }
    },
    PlantedFault("a read-only superblock counts as a read-only mount only") { access in
      access.mapMounts { mount in
        if mount.superblockReadOnly { mount.readOnly = true }
        mount.superblockReadOnly = false
      }
    },
    PlantedFault("a read-only mount counts as a read-only superblock") { access in
      access.mapMounts { mount in
        if mount.readOnly { mount.superblockReadOnly = true }
      }
    },
    PlantedFault("read-only filesystems deny writing to devices") { access in
      let mounts = access.mounts
      access.mapNodes { node in
        let mount = mounts[CaseBatch.mountIndex(of: node.path, among: mounts)]
        if mount.readOnly || mount.superblockReadOnly, node.type.isDevice {
          node.type = .regular
        }
      }
    },
    PlantedFault("noexec is ignored") { access in
      access.mapMounts { $0.noexec = false }
    },
    PlantedFault("nosymfollow is ignored") { access in
      access.mapMounts { $0.nosymfollow = false }
    },
    PlantedFault("id-mapped mounts are ignored") { access in
      access.mapMounts { $0.idmap = nil }
    }.needing { $0.idMappedMounts },
    PlantedFault("the filesystem's user namespace is ignored") { access in
      access.mapMounts { $0.filesystemNamespace = nil }
    }.needing { $0.idMappedMounts },
    PlantedFault("unmapped users of a mount are mapped") { access in
      access.mapMounts { mount in
        mount.idmap?.users.ranges.append(.init(inside: 0, outside: 0, length: .max))
      }
    }.needing { $0.idMappedMounts },
    PlantedFault("the second mount is not seen") { access in
      access.mounts = Array(access.mounts.prefix(1))
    },
  ]

  // Path lookup

  static let walkFaults = [
    PlantedFault("protected_symlinks is off") { $0.protectedSymlinks = false },
    PlantedFault("protected_symlinks is always on") { $0.protectedSymlinks = true }
      .needing { $0.protectedSymlinks.contains(false) },
    PlantedFault("links in the user's own sticky directory are protected") { access in
      let fsuid = access.subject.fsuid
      access.mapNodes { node in
        if node.type == .symbolicLink && node.uid == fsuid { node.uid ^= 4 }
      }
    },
    PlantedFault("41 links are followed") { access in
      access.mapNodes { node in
        guard node.path.hasSuffix("/k20") else { return }
        node.target = node.target.map { String($0.dropLast(2)) + "22" }
      }
    },
    PlantedFault("only 39 links are followed") { access in
      guard let node = access.nodes.first(where: { $0.path.hasSuffix("/k20") }) else { return }
      var extra = node
      extra.path = String(node.path.dropLast(3)) + "extra"
      access.mapNodes { node in
        if node.path.hasSuffix("/k20") { node.target = extra.path }
      }
      access.nodes.append(extra)
    },
    PlantedFault("a final slash asks for nothing") { access in
      var path = access.request.path
      while path.count > 1 && path.hasSuffix("/") { path.removeLast() }
      access.request = access.request.replacing(path: path)
    },
    PlantedFault("a final dot needs no search permission") { access in
      let path = access.request.path
      if path.hasSuffix("/.") {
        access.request = access.request.replacing(path: String(path.dropLast()))
      }
    },
    PlantedFault("directories need no search permission") { access in
      access.mapNodes { node in
        guard node.type == .directory else { return }
        node.mode |= 0o111
        node.acl = nil
      }
    },
  ]

  // Requests

  static let requestFaults = [
    PlantedFault("the access mode 3 is read and write") { $0.replace(.accessMode3, .readWrite) },
    PlantedFault("the access mode 3 asks for nothing but reading") {
      $0.replace(.accessMode3, .readOnly)
    },
    PlantedFault("O_TRUNC needs no write permission") { $0.remove(.truncate) },
    PlantedFault("O_NOATIME needs nothing") { $0.remove(.noAccessTime) },
    PlantedFault("O_APPEND is ignored") { $0.remove(.append) },
    PlantedFault("O_DIRECTORY is ignored") { $0.remove(.directory) },
    PlantedFault("O_NOFOLLOW is ignored") { $0.remove(.noFollow) },
    PlantedFault("O_PATH checks the object") { $0.replace(.path, .readOnly) },
    PlantedFault("faccessat2 always uses the effective credentials") { access in
      if case .access(let path, let mode, false, let noFollow) = access.request {
        access.request = .access(path: path, mode: mode, effective: true, noFollow: noFollow)
      }
    }.needing { $0.inodeFlags },
    PlantedFault("faccessat2 always uses the real credentials") { access in
      if case .access(let path, let mode, true, let noFollow) = access.request {
        access.request = .access(path: path, mode: mode, effective: false, noFollow: noFollow)
      }
    },
    PlantedFault("AT_SYMLINK_NOFOLLOW is ignored") { access in
      if case .access(let path, let mode, let effective, true) = access.request {
        access.request = .access(path: path, mode: mode, effective: effective, noFollow: false)
      }
    },
    PlantedFault("faccessat2 sees nodev") { access in
      guard case .access(let path, let mode, true, false) = access.request else { return }
      let flags: [Permissions: OpenFlag] = [
        .read: .readOnly, .write: .writeOnly, [.read, .write]: .readWrite,
      ]
      if let flag = flags[mode] { access.request = .open(path: path, flags: [flag]) }
    },
  ]
}
