import LegoKit

extension Feature where B == WizardBlueprint {
  /// The form, with its fields plugged in.
  static var wizard: Feature {
    Feature(WizardBlueprint(), adaptors: [WizardAdaptor()])
      .part(\.name, .case(WizardBlueprint.Change.name), .field(issue: Check.name))
      .part(
        \.address, .case(WizardBlueprint.Change.address), .field(issue: Check.address)
      )
      .part(
        \.login, .case(WizardBlueprint.Change.login),
        .field(issue: Check.login, after: .milliseconds(200)) { login in
          await Contractors().accounts.isTaken(login) ? .taken : nil
        })
  }
}

/// The rules of the fields, which are pure.
private enum Check {
  static func name(_ name: String) -> WizardBlueprint.Issue? {
    name.allSatisfy(\.isWhitespace) ? .missing : nil
  }

  static func address(_ address: String) -> WizardBlueprint.Issue? {
    let parts = address.split(separator: "@", omittingEmptySubsequences: false)
    return parts.count == 2 && !parts.contains("") && !address.contains(" ") ? nil : .noAddress
  }

  /// A login becomes the name of a file: nothing but letters and digits may pass.
  static func login(_ login: String) -> WizardBlueprint.Issue? {
    let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    // Bytes, because a letter with an accent is also between a and z.
    let bytes = login.utf8
    guard (2...16).contains(bytes.count), bytes.first.map(letters.contains) == true,
      bytes.allSatisfy({ letters.contains($0) || digits.contains($0) })
    else { return .noLogin }
    return nil
  }
}
