extension Subject: Codable {
  private enum Keys: String, CodingKey {
    case ruid
    case euid
    case suid
    case fsuid
    case rgid
    case egid
    case sgid
    case fsgid
    case groups
    case permitted = "cap_permitted"
    case effective = "cap_effective"
    case inheritable = "cap_inheritable"
    case bounding = "cap_bounding"
    case ambient = "cap_ambient"
    case securebits
    case noNewPrivileges = "no_new_privs"
    case userNamespace = "userns"
    case deviceCgroup = "devcg"
    case unobserved
  }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Keys.self)
    ruid = try values.decode(UInt32.self, forKey: .ruid)
    euid = try values.decode(UInt32.self, forKey: .euid)
    suid = try values.decode(UInt32.self, forKey: .suid)
    fsuid = try values.decode(UInt32.self, forKey: .fsuid)
    rgid = try values.decode(UInt32.self, forKey: .rgid)
    egid = try values.decode(UInt32.self, forKey: .egid)
    sgid = try values.decode(UInt32.self, forKey: .sgid)
    fsgid = try values.decode(UInt32.self, forKey: .fsgid)
    groups = try values.bounded(.groups, limit: CaseLimits.groups)
    permitted = try values.decode(CapabilitySet.self, forKey: .permitted)
    effective = try values.decode(CapabilitySet.self, forKey: .effective)
    inheritable = try values.decodeIfPresent(CapabilitySet.self, forKey: .inheritable) ?? []
    bounding = try values.decodeIfPresent(CapabilitySet.self, forKey: .bounding) ?? .all
    ambient = try values.decodeIfPresent(CapabilitySet.self, forKey: .ambient) ?? []
    securebits = try values.decode(UInt32.self, forKey: .securebits)
    noNewPrivileges = try values.decodeIfPresent(Bool.self, forKey: .noNewPrivileges) ?? false
    userNamespace = try values.decodeIfPresent(IDMapping.self, forKey: .userNamespace)
    deviceCgroup = try values.decodeIfPresent(DeviceCgroup.self, forKey: .deviceCgroup)
    unobserved = try values.decodeIfPresent(Set<Element>.self, forKey: .unobserved) ?? []
    // Null means that there is none; a missing key means that it was not observed.
    if !values.contains(.userNamespace) { unobserved.insert(.userns) }
    if !values.contains(.deviceCgroup) { unobserved.insert(.deviceCgroup) }
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Keys.self)
    try values.encode(ruid, forKey: .ruid)
    try values.encode(euid, forKey: .euid)
    try values.encode(suid, forKey: .suid)
    try values.encode(fsuid, forKey: .fsuid)
    try values.encode(rgid, forKey: .rgid)
    try values.encode(egid, forKey: .egid)
    try values.encode(sgid, forKey: .sgid)
    try values.encode(fsgid, forKey: .fsgid)
    try values.encode(groups, forKey: .groups)
    try values.encode(permitted, forKey: .permitted)
    try values.encode(effective, forKey: .effective)
    if !inheritable.isEmpty { try values.encode(inheritable, forKey: .inheritable) }
    if bounding != .all { try values.encode(bounding, forKey: .bounding) }
    if !ambient.isEmpty { try values.encode(ambient, forKey: .ambient) }
    try values.encode(securebits, forKey: .securebits)
    if noNewPrivileges { try values.encode(noNewPrivileges, forKey: .noNewPrivileges) }
    try values.encode(userNamespace, forKey: .userNamespace)
    try values.encode(deviceCgroup, forKey: .deviceCgroup)
    try values.encodeSorted(unobserved, forKey: .unobserved)
  }
}
