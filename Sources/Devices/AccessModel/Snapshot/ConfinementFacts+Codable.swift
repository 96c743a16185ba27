extension ConfinementFacts {
  private enum Keys: String, CodingKey {
    case container
    case securityModules = "security_modules"
    case securityPrograms = "security_programs"
    case label
    case seccompMode = "seccomp_mode"
    case cgroup
    case unit
    case service
    case selinuxEnforcing = "selinux_enforcing"
    case profileRule = "profile_rule"
    case application
    case kernelRelease = "kernel_release"
    case distribution
    case hasSystemd = "systemd"
    case hasUdevDatabase = "udev_database"
    case restrictsKernelLog = "dmesg_restrict"
    case lockdown
    case hasTerminal = "terminal"
    case privateMounts = "private_mounts"
  }

  public init(from decoder: any Decoder) throws {
    self.init()
    let values = try decoder.container(keyedBy: Keys.self)
    container = try values.decodeIfPresent(String.self, forKey: .container)
    securityModules = try values.decodeIfPresent([String].self, forKey: .securityModules)
    securityPrograms = try values.boundedIfPresent(.securityPrograms, limit: 4096)
    label = try values.decodeIfPresent(String.self, forKey: .label)
    seccompMode = try values.decodeIfPresent(Int.self, forKey: .seccompMode)
    cgroup = try values.decodeIfPresent(String.self, forKey: .cgroup)
    unit = try values.decodeIfPresent(String.self, forKey: .unit)
    service = try values.decodeIfPresent(ServiceFacts.self, forKey: .service)
    selinuxEnforcing = try values.decodeIfPresent(Bool.self, forKey: .selinuxEnforcing)
    profileRule = try values.decodeIfPresent(String.self, forKey: .profileRule)
    application = try values.decodeIfPresent(ApplicationFacts.self, forKey: .application)
    kernelRelease = try values.decodeIfPresent(String.self, forKey: .kernelRelease)
    distribution = try values.decodeIfPresent(String.self, forKey: .distribution)
    hasSystemd = try values.decodeIfPresent(Bool.self, forKey: .hasSystemd)
    hasUdevDatabase = try values.decodeIfPresent(Bool.self, forKey: .hasUdevDatabase)
    restrictsKernelLog = try values.decodeIfPresent(Bool.self, forKey: .restrictsKernelLog)
    lockdown = try values.decodeIfPresent(LockdownLevel.self, forKey: .lockdown)
    hasTerminal = try values.decodeIfPresent(Bool.self, forKey: .hasTerminal)
    privateMounts = try values.boundedIfPresent(.privateMounts, limit: 4096) ?? []
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Keys.self)
    try values.encodeIfPresent(container, forKey: .container)
    try values.encodeIfPresent(securityModules, forKey: .securityModules)
    try values.encodeIfPresent(securityPrograms, forKey: .securityPrograms)
    try values.encodeIfPresent(label, forKey: .label)
    try values.encodeIfPresent(seccompMode, forKey: .seccompMode)
    try values.encodeIfPresent(cgroup, forKey: .cgroup)
    try values.encodeIfPresent(unit, forKey: .unit)
    try values.encodeIfPresent(service, forKey: .service)
    try values.encodeIfPresent(selinuxEnforcing, forKey: .selinuxEnforcing)
    try values.encodeIfPresent(profileRule, forKey: .profileRule)
    try values.encodeIfPresent(application, forKey: .application)
    try values.encodeIfPresent(kernelRelease, forKey: .kernelRelease)
    try values.encodeIfPresent(distribution, forKey: .distribution)
    try values.encodeIfPresent(hasSystemd, forKey: .hasSystemd)
    try values.encodeIfPresent(hasUdevDatabase, forKey: .hasUdevDatabase)
    try values.encodeIfPresent(restrictsKernelLog, forKey: .restrictsKernelLog)
    try values.encodeIfPresent(lockdown, forKey: .lockdown)
    try values.encodeIfPresent(hasTerminal, forKey: .hasTerminal)
    if !privateMounts.isEmpty { try values.encode(privateMounts, forKey: .privateMounts) }
  }
}
