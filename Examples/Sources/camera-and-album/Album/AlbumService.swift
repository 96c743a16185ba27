import LegoKit

/// Saves pictures.
struct AlbumService: Service {
  /// Saves files.
  static let contractor = AlbumService { bytes, suffix, directory in
    try NewFile.save(bytes, named: "picture", suffix, in: directory)
  }
  /// A test saves files, too.
  static let testContractor: AlbumService? = contractor

  /// Saves the bytes of a picture under a free name in a directory, and returns its path.
  var save: @Sendable (_ bytes: [UInt8], _ suffix: String, _ directory: String) throws -> String
}

extension Contractors {
  /// Saves pictures.
  var album: AlbumService {
    get { Self[AlbumService.Value.self] }
    set { Self[AlbumService.Value.self] = newValue }
  }
}
