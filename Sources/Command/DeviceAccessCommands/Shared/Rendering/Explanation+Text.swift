internal import AccessModel

extension Explanation {
  /// Describes how certain the answer and its cause are.
  func certaintyText(_ facts: AccessFacts) -> String {
    let isTried = answer == .refused && facts.attempts.contains { $0.path == path && $0.errno != 0 }
    let proof = isTried ? "the attempt failed" : "the kernel's own check agrees"
    return switch (answerCertainty, certainty) {
    case (.proven, .proven): "proven (\(proof))"
    case (.proven, _): "answer proven (\(proof)); the cause is likely, not proven"
    case (.predicted, _) where isTried: "the attempt failed; the cause is likely, not proven"
    case (.predicted, _): caveat ?? "predicted from the facts"
    case (.undecided, _): "facts are missing"
    }
  }

  /// A warning about the layers that may still deny allowed access; `nil` without a sign of any.
  var caveat: String? {
    guard !doubts.isEmpty else { return nil }
    let names = doubts.prefix(3).map { "\(Escaped($0))" }
    return "predicted; \(names.listed(with: "or")) may still deny access"
  }

  /// The status and the availability, or only one word if they are the same.
  var statusWords: [String] {
    status.rawValue == availability.rawValue
      ? [status.rawValue] : [status.rawValue, availability.rawValue]
  }

  /// Describes why the answer is undetermined.
  func unknown(_ style: Style) -> String {
    if let disagreement { return style.safe(disagreement, limit: 512) }
    if case .undecided(let reason) = decision.outcome {
      return style.safe(unobserved.completing(reason), limit: 512)
    }
    let layers = unobserved.map { style.safe($0.layerName, limit: 64) }
    return "not observed: " + (layers.isEmpty ? "what matters" : layers.joined(separator: ", "))
  }
}

extension Unobserved {
  /// The name of the layer in the text output.
  ///
  /// The JSON name is replaced if it is an internal term.
  var layerName: String { layer == "device-program" ? "device cgroup" : layer }
}

extension Answer {
  /// The tone of the answer's word.
  var tone: Style.Tone {
    switch self {
    case .allowed: .good
    case .refused: .bad
    case .undetermined, .absent: .unsure
    }
  }
}

extension Decision {
  /// A Boolean value that indicates whether the lookup ended because the path does not exist.
  var leadsNowhere: Bool {
    switch rule {
    case .walkNoEntry, .walkNotDirectory, .walkTooManyLinks, .walkNameTooLong: !isGranted
    default: false
    }
  }
}

extension Rule {
  /// The rule in words, as one clause that fits both a grant and a denial.
  var words: String {
    switch self {
    case .walkNoEntry: "no such file or directory"
    case .walkNotDirectory: "a component of the path is not a directory"
    case .walkTooManyLinks: "the path contains more than 40 symbolic links"
    case .walkNameTooLong: "the path or a name in it is too long"
    case .symlinkProtected:
      "in a sticky, world-writable directory, only links of the caller or of the directory's "
        + "owner are followed (fs.protected_symlinks)"
    case .symlinkNoSymfollow: "the mount does not follow symbolic links (nosymfollow)"
    case .symlinkNoFollow: "the object is a symbolic link, and the request does not follow links"
    case .openIsDirectory: "a directory cannot be opened for writing or created by open(2)"
    case .openExists: "the file exists, and the request is for a new file (O_EXCL)"
    case .createSticky:
      "in a sticky directory, O_CREAT opens only files of the user or of the directory's owner "
        + "(fs.protected_regular, fs.protected_fifos)"
    case .createUnmappedID: "the filesystem cannot store the user or group that would own the file"
    case .createUnsupported: "only the kernel creates files in this filesystem"
    case .openPathNoCheck: "an O_PATH open does not check the object"
    case .mountNodev: "no user can open a device on a nodev mount"
    case .mountNoexec: "no user can execute a file on a noexec mount"
    case .mountReadOnly: "the mount is read-only"
    case .superblockReadOnly: "the filesystem is read-only"
    case .inodeImmutable: "the immutable flag forbids all writing"
    case .inodeAppendOnly: "the append-only flag allows only appending"
    case .inodeUnmappedID:
      "no user may write if the mount does not map the owner or group"
    case .openNoAccessTime: "only the owner may use O_NOATIME"
    case .deviceCgroup: "the device cgroup does not allow the device, whatever its mode and ACL"
    case .modeOwner: "the user is the owner, so only the owner permissions apply"
    case .modeGroup: "the user is in the group, so only the group permissions apply"
    case .modeOther:
      "the user is neither the owner nor in the group, so the permissions for others apply"
    case .aclUser: "an access control list entry names this user, so only that entry applies"
    case .aclGroup: "the access control list entries for the user's groups apply"
    case .aclMask: "an access control list entry matches, but the mask limits it"
    case .aclOther:
      "no entry matches, so 'other' applies"
    case .overrideFileAccess: "CAP_DAC_OVERRIDE overrides modes and access lists"
    case .readAndSearch: "CAP_DAC_READ_SEARCH overrides modes and access lists for reading"
    }
  }
}
