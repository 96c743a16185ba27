import DevicePermissions
import LegoKit

/// Saves pictures.
struct AlbumService: Service {
  /// Saves files under the first free name: `picture-1.jpg`, `picture-2.jpg` and so on.
  static let contractor = AlbumService { bytes, suffix, directory in
    let name = try PictureName("picture", suffix: suffix, separator: "-")
    let file = try Album(path: directory).add(bytes, named: name)
    return directory == "/" ? "/\(file)" : "\(directory)/\(file)"
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
