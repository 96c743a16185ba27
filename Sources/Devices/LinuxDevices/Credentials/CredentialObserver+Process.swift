internal import AccessModel

extension CredentialObserver {
  /// The reading process: its user namespace, and the translator for the IDs that it reads.
  typealias Reader = (userNamespace: IDMapping?, translator: IDTranslator)

  /// Reads the credentials of another process from its directory in `/proc`.
  ///
  /// Every process may read them. The secure bits are not in any file.
  func observe(process: String, reader: Reader) -> Observation {
    var unobserved: [Unobserved] = []
    var status: ThreadStatus?
    do throws(Errno) {
      status = ThreadStatus(
        parsing: try BoundedFile.read("\(process)/status", limit: 1 << 20).bytes)
    } catch {
      unobserved.append(Unobserved("status", reason: error.reason))
    }
    var subject = Subject(uid: 65534, gid: 65534)
    read(status, into: &subject)
    unobserved.append(
      Unobserved("securebits", reason: "those of another process are not visible in any file"))
    var translator = reader.translator
    translate(&subject, with: &translator)
    readNamespace(of: process, reader: reader, into: &subject, &unobserved)
    return Observation(
      subject: subject, translator: translator, seccompMode: status?.seccompMode,
      unobserved: unobserved)
  }

  /// Reads the ID maps of another process's user namespace.
  ///
  /// A reader in the initial namespace sees the kernel's own IDs. A reader in another namespace
  /// sees its own maps for the processes in that namespace. For any further namespace, it sees only
  /// the part that its own maps cover.
  private func readNamespace(
    of process: String, reader: Reader, into subject: inout Subject,
    _ unobserved: inout [Unobserved]
  ) {
    var ignored: [Unobserved] = []
    let mapping = readNamespace(process, into: &subject, &ignored)
    if subject.unobserved.contains(.userns) {
      unobserved += ignored
    } else if reader.userNamespace != nil {
      guard mapping != reader.userNamespace else { return }
      subject.userNamespace = nil
      subject.unobserved.insert(.userns)
      unobserved.append(
        Unobserved(
          "user namespace", reason: "its maps cannot be read exactly from inside another namespace")
      )
    }
  }
}
