internal import AccessModel

extension PlantedFault {
  /// Every planted fault.
  public static let all: [PlantedFault] =
    listFaults + modeFaults + capabilityFaults + mountFaults + walkFaults + requestFaults
    + creationFaults

  // Access control lists

  private static let listFaults = [
    PlantedFault("the mask is ignored") { access in
      access.mapLists { list in list.filter { $0.tag != .mask } }
    },
    PlantedFault("the mask limits the entry of others") { access in
      access.mapLists { list in
        let mask = list.first { $0.tag == .mask }?.permissions ?? .all
        return list.map {
          $0.tag == .other
            ? ACLEntry(.other, nil, $0.permissions.intersection(mask)) : $0
        }
      }
    },
    PlantedFault("a list with the mask --- is consulted") { access in
      access.mapNodes { node in
        if node.acl != nil && node.mode & 0o070 == 0 { node.mode |= 0o010 }
      }
    },
    // The order of the group entries does not matter: the mask is the same for all, so every entry
    // that contains the requested permissions gives the same answer.
    PlantedFault("the first matching group entry decides, whatever it holds") { access in
      access.mapMatchingGroups { Array($0.prefix(1)) }
    },
    PlantedFault("the last matching group entry decides, whatever it holds") { access in
      access.mapMatchingGroups { Array($0.suffix(1)) }
    },
    PlantedFault("the last of several entries for a user counts") { access in
      access.mapLists { list in
        let named = list.filter { $0.tag == .user && $0.id != nil }
        return list.filter { $0.tag == .user && $0.id == nil } + named.reversed()
          + list.filter { $0.tag != .user }
      }
    },
    PlantedFault("rights of all matching groups are united") { access in
      access.mapMatchingGroups { entries in
        let united = entries.reduce(Permissions()) { $0.union($1.permissions) }
        return entries.prefix(1).map { ACLEntry(.group, $0.id, united) }
      }
    },
    PlantedFault("a group entry that lacks a right falls through to others") { access in
      let wanted = access.request.wantedPermissions
      access.mapLists { list in
        list.filter { $0.tag != .group || $0.permissions.isSuperset(of: wanted) }
      }
    },
    PlantedFault("lists are ignored") { access in
      access.mapNodes { $0.acl = nil }
    },
  ]

  // Modes and owners

  private static let modeFaults = [
    PlantedFault("the owner is skipped") { access in
      let fsuid = access.subject.fsuid
      access.mapNodes { node in
        if node.uid == fsuid { node.uid ^= 4 }
      }
    },
    PlantedFault("an owner without the right falls through to group and others") { access in
      access.mapNodes { node in
        node.mode |= (node.mode & 0o007) << 6
      }
    },
    PlantedFault("a group without the right falls through to others") { access in
      access.mapNodes { node in
        if node.acl == nil { node.mode |= (node.mode & 0o007) << 3 }
      }
    },
    PlantedFault("supplementary groups are ignored") { $0.subject.groups = [] },
    PlantedFault("only 32 supplementary groups count") { access in
      access.subject.groups = Array(access.subject.groups.prefix(32))
    },
    PlantedFault("the effective user counts instead of the filesystem user") { access in
      access.subject.fsuid = access.subject.euid
    },
    PlantedFault("the effective group counts instead of the filesystem group") { access in
      access.subject.fsgid = access.subject.egid
    },
    PlantedFault("immutable files are writable") { access in
      access.mapNodes { $0.flags.remove(.immutable) }
    }.needing { $0.inodeFlags },
    PlantedFault("append-only files are writable anywhere") { access in
      access.mapNodes { $0.flags.remove(.append) }
    }.needing { $0.inodeFlags },
  ]

  // Capabilities

  private static let capabilityFaults = [
    PlantedFault("capabilities count in every user namespace") { access in
      access.subject.userNamespace = nil
    },
    PlantedFault("the owner's mapping is not asked for") { access in
      access.subject.userNamespace?.users = .identity
    },
    PlantedFault("the group's mapping is not asked for") { access in
      access.subject.userNamespace?.groups = .identity
    },
    PlantedFault("capabilities are ignored") { access in
      access.subject.effective = []
      access.subject.permitted = []
    },
    PlantedFault("permitted capabilities count as effective") { access in
      access.subject.effective = access.subject.permitted
    },
    PlantedFault("CAP_DAC_READ_SEARCH counts as CAP_DAC_OVERRIDE") { access in
      if access.subject.effective.contains(.readAndSearch) {
        access.subject.effective.formUnion([.overrideFileAccess])
      }
    },
    PlantedFault("CAP_DAC_READ_SEARCH is ignored") { access in
      access.subject.effective.subtract([.readAndSearch])
      access.subject.permitted.subtract([.readAndSearch])
    },
    PlantedFault("CAP_FOWNER is ignored") { access in
      access.subject.effective.subtract([.actAsFileOwner])
      access.subject.permitted.subtract([.actAsFileOwner])
    },
    PlantedFault("CAP_SYS_ADMIN overrides file access") { access in
      if access.subject.effective.contains(.administerSystem) {
        access.subject.effective.formUnion([.overrideFileAccess])
      }
    },
    PlantedFault("the user 0 has every capability") { access in
      if access.subject.fsuid == 0 { access.subject.effective = .all }
    },
    PlantedFault("SECBIT_NO_SETUID_FIXUP is ignored") { $0.subject.securebits = 0 },
    PlantedFault("device control groups are ignored") {
      $0.subject.deviceCgroup = nil
    }.needing { $0.deviceCgroups },
  ]
}
