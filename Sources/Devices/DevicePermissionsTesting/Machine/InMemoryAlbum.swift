internal import AccessModel
internal import Glibc
internal import LinuxDevices

/// A real directory that represents a described one while pictures are added to it.
///
/// It has an empty file for each described name, so a new picture gets the first free name. The
/// directory is removed with this object.
final class InMemoryAlbum {
  private let path: String
  private let owner: String
  /// The path of the real directory.
  private let folder: String
  /// The names in both the description and the directory.
  private var names: Set<String> = []
  /// The names of pictures that were added here.
  private var added: Set<String> = []

  /// Creates the directory.
  ///
  /// - Parameters:
  ///   - path: The canonical path of the described directory.
  ///   - owner: The user who owns the pictures.
  /// - Throws: `failed` if the directory cannot be created.
  init(at path: String, owner: String) throws(AlbumError) {
    var name = Array("/tmp/devaccess-album-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&name) != nil else {
      throw AlbumError(.failed, at: path, "no directory can be made for it")
    }
    folder = String(decoding: name.dropLast().map(UInt8.init(truncatingIfNeeded:)), as: UTF8.self)
    self.path = path
    self.owner = owner
  }

  deinit {
    for name in files() { unsafe unlink("\(folder)/\(name)") }
    unsafe rmdir(folder)
  }

  /// Opens the directory so pictures can be added.
  ///
  /// - Throws: `failed` if no descriptor is free.
  /// - Returns: The directory.
  func open() throws(AlbumError) -> DeviceDescriptor {
    let directory = unsafe Glibc.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard directory >= 0 else {
      throw AlbumError(.failed, at: path, "no directory can be opened for it")
    }
    return DeviceDescriptor(adopting: directory)
  }

  /// Opens a picture that was added.
  ///
  /// - Parameters:
  ///   - name: The name of the picture.
  ///   - wanted: Reading, writing or both.
  /// - Throws: `failed` if no descriptor is free.
  /// - Returns: The open file; `nil` if no picture of that name was added.
  func openPicture(
    _ name: String, for wanted: Permissions
  ) throws(AlbumError) -> DeviceDescriptor? {
    guard added.contains(name) else { return nil }
    let mode = wanted.contains(.write) ? wanted.contains(.read) ? O_RDWR : O_WRONLY : O_RDONLY
    let file = unsafe Glibc.open("\(folder)/\(name)", mode | O_CLOEXEC)
    guard file >= 0 else { throw AlbumError(.failed, at: path, "the picture cannot be opened") }
    return DeviceDescriptor(adopting: file)
  }

  /// Describes the pictures that were added since the last call.
  func describePictures(in machine: inout MachineDescription) {
    for name in files() where names.insert(name).inserted {
      added.insert(name)
      machine.addFile("\(path)/\(name)", owner: owner)
    }
  }

  /// Adds the described names, and removes those that are no longer described.
  func takeNames(of machine: MachineDescription) {
    let described = Set(machine.names(in: path))
    for name in names.subtracting(described) {
      unsafe unlink("\(folder)/\(name)")
      added.remove(name)
    }
    for name in described.subtracting(names) {
      let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC
      let file = unsafe Glibc.open("\(folder)/\(name)", flags, 0o600)
      if file >= 0 { close(file) }
    }
    names = described
  }

  /// Returns the names of the files in the real directory.
  private func files() -> [String] {
    guard let directory = unsafe opendir(folder) else { return [] }
    defer { unsafe closedir(directory) }
    var names: [String] = []
    while let entry = unsafe readdir(directory) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names
  }
}
