/** They have a thread and native code of their own, which a bundler would tear apart. */
export default { serverExternalPackages: ["@trunkline/core", "@trunkline/providers", "@trunkline/storage-sqlite"] }
