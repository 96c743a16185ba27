internal import AccessModel

extension AccessFacts {
  /// Looks up what the text of an AppArmor profile says of the path in question.
  mutating func readProfile(roots: MachineRoots) {
    guard let label = confinement.label, label.hasSuffix("(enforce)") || isAppArmorUnit else {
      return
    }
    let open = label.hasSuffix(")") ? label.lastIndex(of: "(") : nil
    let name = String(label[..<(open ?? label.endIndex)]).split(separator: " ")
      .joined(separator: " ")
    var text = AppArmorProfileText(roots: roots, path: access.request.path)
    confinement.profileRule = text.rule(of: name)
  }

  private var isAppArmorUnit: Bool {
    confinement.service?.appArmorProfile != nil && origin?.kind == .unit
      && confinement.label?.hasSuffix(")") == false
  }
}
