public import AccessModel
internal import Glibc

extension LinuxMachine {
  /// Opens the pictures directory, following symbolic links.
  ///
  /// If `makes` is `true`, a missing directory is created. It must be in the home directory that
  /// `HOME` names, or without `HOME`, the account database. The kernel checks the credentials of
  /// the calling thread.
  public func openAlbum(at path: String, makes: Bool) throws(AlbumError) -> DeviceDescriptor {
    guard makes else { return try AlbumDirectory.open(path) }
    guard let home = environment("HOME").flatMap(absolute) ?? homeOfAccount else {
      throw AlbumError(.foreignPlace, at: path, "no home directory is known")
    }
    return try AlbumDirectory.make(path, below: home)
  }

  public func albumContents(at path: String) -> AlbumContents? { try? AlbumContents(at: path) }

  public func selectedFile(at path: String) -> SelectedFile { SelectedFile(lookingAt: path) }

  /// Opens the file after pinning it, which requires `/proc`.
  public func openSelectedFile(
    at path: String, for wanted: Permissions
  ) throws(AlbumError) -> DeviceDescriptor {
    try SelectedFile.open(path, for: wanted)
  }

  private func absolute(_ path: String) -> String? {
    path.utf8.first == UInt8(ascii: "/") ? path : nil
  }

  private var homeOfAccount: String? {
    var ignored: [Unobserved] = []
    var source = AccountSources.source(roots, &ignored)
    return (try? source.user(geteuid()))?.home.flatMap(absolute)
  }
}
