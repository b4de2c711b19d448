export default {
  // They have a thread, native code and files of their own, which a bundler would tear apart.
  serverExternalPackages: [
    "@trunkline/core",
    "@trunkline/dashboard",
    "@trunkline/providers",
    "@trunkline/storage-sqlite"
  ],
  // What the pages ask for is relative to `/phone/dashboard/`: the last slash stays.
  skipTrailingSlashRedirect: true
}
