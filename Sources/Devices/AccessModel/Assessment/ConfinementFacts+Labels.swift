extension ConfinementFacts {
  /// A label that makes a security module check, and possibly refuse, access.
  struct EnforcedLabel: Hashable, Sendable {
    /// The name of the module in sentences, such as `AppArmor`.
    var module: String
    /// The profile or context.
    var name: String
    var code: CauseCode
    /// A Boolean value that indicates whether the module acts in faccessat2(2) as well as in
    /// open(2).
    var actsInChecks: Bool

    /// A Boolean value that indicates whether the policy does not restrict such processes.
    ///
    /// An example is a login shell under the targeted policy of SELinux.
    var isUnconfined: Bool {
      guard code == .selinux else { return false }
      let type =
        name.split(separator: ":", omittingEmptySubsequences: false).dropFirst(2).first ?? ""
      return type.hasPrefix("unconfined_") || ["spc_t", "initrc_t", "kernel_t"].contains(type)
    }

    /// The policy as a phrase, such as `the AppArmor profile cam`.
    var phrase: String {
      code == .appArmor ? "the AppArmor profile \(name)" : "\(module) (label \(name))"
    }
  }

  /// The subject's label; `nil` if its module allows everything under that label.
  ///
  /// The form of the label identifies the module even if securityfs is not mounted, as in most
  /// containers.
  var enforcedLabel: EnforcedLabel? {
    guard let label, !label.isEmpty else { return nil }
    let modules = securityModules
    func isPossible(_ module: String) -> Bool { modules?.contains(module) ?? true }
    if label.hasSuffix(")"), let open = label.lastIndex(of: "(") {
      // AppArmor's form: `profile (mode)`.
      guard ["(enforce)", "(kill)", "(user)", "(mixed)"].contains(label[open...]) else {
        return nil
      }
      let profile = label[..<open].reversed().drop { $0 == " " }.reversed()
      return EnforcedLabel(
        module: "AppArmor", name: String(profile), code: .appArmor, actsInChecks: false)
    }
    if label.split(separator: ":", omittingEmptySubsequences: false).count > 2 {
      guard selinuxEnforcing != false, isPossible("selinux") else { return nil }
      return EnforcedLabel(module: "SELinux", name: label, code: .selinux, actsInChecks: true)
    }
    // The label is from SELinux without a loaded policy, or from AppArmor.
    if label == "kernel" || label == "unconfined" { return nil }
    if modules?.contains("apparmor") == true {
      return EnforcedLabel(
        module: "AppArmor", name: label, code: .appArmor, actsInChecks: false)
    }
    if modules?.contains("smack") == true {
      return EnforcedLabel(module: "Smack", name: label, code: .unknown, actsInChecks: true)
    }
    return nil
  }

  /// A Boolean value that indicates whether an active security module acts in faccessat2(2).
  var hasLabelModule: Bool {
    if let modules = securityModules {
      // Without a policy, SELinux refuses nothing, and its label is a plain word.
      let isLoaded = selinuxEnforcing != false && label != "kernel"
      return modules.contains("smack") || isLoaded && modules.contains("selinux")
    }
    return enforcedLabel?.actsInChecks ?? false
  }

  /// A Boolean value that indicates whether a layer could refuse an open that faccessat2(2) grants.
  ///
  /// AppArmor, TOMOYO, Landlock and BPF programs act in `file_open`, which faccessat2(2) never
  /// calls. A Landlock domain cannot be read at all.
  var canRefuseUnseen: Bool {
    guard seccompMode == 0, enforcedLabel == nil, let securityModules else { return true }
    let harmless: Set<String> = [
      "capability", "yama", "lockdown", "safesetid", "loadpin", "integrity",
    ]
    return securityModules.contains { module in
      switch module {
      case "apparmor": !(label?.hasPrefix("unconfined") ?? false)
      case "selinux": selinuxEnforcing != false && label != "kernel"
      default: !harmless.contains(module)
      }
    }
  }

  /// The part of an enforced AppArmor profile that refuses access to the object.
  ///
  /// It is a line that denies the object, or a statement that no line allows it.
  var refusingRule: String? {
    guard enforcedLabel?.code == .appArmor, let profileRule else { return nil }
    return profileRule.hasPrefix("no rule for ") || isDenied ? profileRule : nil
  }

  /// A Boolean value that indicates whether a line of the profile denies the object
  /// (apparmor.d(5)).
  var isDenied: Bool {
    guard let profileRule, profileRule.hasPrefix("\"") else { return false }
    // The qualifiers of a rule precede its path.
    return profileRule.dropFirst().split(separator: " ").prefix { !$0.contains("/") }
      .contains("deny")
  }

  /// The label as a layer that could still refuse access, with the matching part of the profile.
  var labelLayer: Unobserved? {
    guard let enforced = enforcedLabel else { return nil }
    let text = profileRule.map { "; its text has \($0)" } ?? ""
    return Unobserved(
      enforced.module.lowercased(),
      reason: enforced.code == .selinux
        ? "the policy for \(enforced.name) could still refuse access\(text)"
        : "\(enforced.name) is enforced and could still refuse access\(text)")
  }
}

extension ConfinementFacts {
  /// The moment at which changed options of a container or pod take effect.
  var recreation: String {
    "when the \(container == "kubernetes" ? "pod" : "container") is recreated"
  }

  /// The setting that excludes a path from what the unit makes read-only.
  ///
  /// systemd 231 renamed it, at the time of Linux 4.7, and still accepts the old name. Amazon Linux 2
  /// has an older systemd with newer kernels.
  var writableSetting: String {
    hasKernel(before: "4.7") || distribution == "amzn" ? "ReadWriteDirectories" : "ReadWritePaths"
  }

  /// Returns whether the running kernel is known to be older than a release.
  func hasKernel(before release: String) -> Bool {
    kernelRelease.map { release.isNewerKernel(than: $0) } ?? false
  }

  /// The version of Fedora that the release of the kernel names, as in `6.11.5-200.fc40.x86_64`.
  var fedoraVersion: Int? {
    guard let release = kernelRelease, let mark = release.firstRange(of: ".fc") else { return nil }
    return Int(release[mark.upperBound...].prefix { $0.isNumber })
  }
}

extension String {
  /// Returns whether this kernel release is newer than another one.
  ///
  /// The comparison uses only the numbers in the releases.
  func isNewerKernel(than other: String) -> Bool {
    let numbers = { (release: String) in
      release.split { !("0"..."9").contains($0) }.compactMap { Int($0) }
    }
    return numbers(other).lexicographicallyPrecedes(numbers(self))
  }
}
