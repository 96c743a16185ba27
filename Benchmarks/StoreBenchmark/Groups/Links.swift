internal import Foundation
import LegoKit

private enum Place: Equatable, Sendable {
  case camera(Int, zoom: Double?)
  case album(String, photo: String)

  var camera: (Int, Double?)? {
    if case .camera(let id, let zoom) = self { (id, zoom) } else { nil }
  }
  var album: (String, String)? {
    if case .album(let name, let photo) = self { (name, photo) } else { nil }
  }
}

/// Compares reading links with Foundation's `URLComponents`, which has neither templates nor types.
@concurrent func measureLinks() async {
  Report.shared.begin(
    "a link read, off the main actor", "to a typed route; beside URLComponents, to its path alone")
  guard
    let camera = try? Link("/camera/:id?zoom=", Place.camera, \.camera),
    let album = try? Link("/album/:name/photo/:photo", Place.album, \.album)
  else { return }
  let links = Links(scheme: "photos", [camera, album])
  for link in ["photos:/camera/3?zoom=1.5", "photos:/album/New%20York/photo/%E2%9C%93"] {
    let costs = await measure(
      Operation("URLComponents: \(link)", count: 5_000) {
        for _ in 0..<$0 { look(URLComponents(string: link)?.path.utf8.count ?? 0) }
      },
      Operation("Links: \(link)", count: 5_000) {
        for _ in 0..<$0 { look((try? links.route(to: link)) == nil ? 0 : 1) }
      })
    compare("a link", costs[1], atMost: 2_000)
  }
}
