CREATE SCHEMA "registry";
--> statement-breakpoint
CREATE TABLE "registry"."catalog_secrets" (
	"catalog_id" text NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"value" text NOT NULL,
	CONSTRAINT "catalog_secrets_catalog_id_name_pk" PRIMARY KEY("catalog_id","name")
);
--> statement-breakpoint
CREATE TABLE "registry"."catalogs" (
	"id" text PRIMARY KEY NOT NULL,
	"metalake" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"provider" text NOT NULL,
	"owner" text,
	"comment" text,
	"settings" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"properties" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"managed_kinds" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"case_rule" text NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "registry"."entities" (
	"id" text PRIMARY KEY NOT NULL,
	"catalog_id" text NOT NULL,
	"parent_id" text,
	"kind" text NOT NULL,
	"name_space" text COLLATE "C" NOT NULL,
	"path_key" text COLLATE "C" NOT NULL,
	"folded_key" text COLLATE "C",
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"managed" boolean DEFAULT false NOT NULL,
	"storage_location" text,
	"owner" text,
	"comment" text,
	"properties" jsonb DEFAULT '{}'::jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "registry"."entity_grants" (
	"entity_id" text NOT NULL,
	"principal" text COLLATE "C" NOT NULL,
	"privilege" text COLLATE "C" NOT NULL,
	CONSTRAINT "entity_grants_entity_id_principal_privilege_pk" PRIMARY KEY("entity_id","principal","privilege")
);
--> statement-breakpoint
CREATE TABLE "registry"."entity_policies" (
	"entity_id" text NOT NULL,
	"policy" text COLLATE "C" NOT NULL,
	CONSTRAINT "entity_policies_entity_id_policy_pk" PRIMARY KEY("entity_id","policy")
);
--> statement-breakpoint
CREATE TABLE "registry"."entity_secrets" (
	"entity_id" text NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"value" text NOT NULL,
	CONSTRAINT "entity_secrets_entity_id_name_pk" PRIMARY KEY("entity_id","name")
);
--> statement-breakpoint
CREATE TABLE "registry"."entity_tags" (
	"entity_id" text NOT NULL,
	"tag" text COLLATE "C" NOT NULL,
	CONSTRAINT "entity_tags_entity_id_tag_pk" PRIMARY KEY("entity_id","tag")
);
--> statement-breakpoint
CREATE TABLE "registry"."events" (
	"seq" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "registry"."events_seq_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" bigint NOT NULL,
	"metalake" text COLLATE "C" NOT NULL,
	"catalog" text COLLATE "C" NOT NULL,
	"type" text NOT NULL,
	"outcome" text NOT NULL,
	"reason" text,
	"actor" text NOT NULL,
	"entity_id" text,
	"kind" text NOT NULL,
	"path_key" text COLLATE "C" NOT NULL,
	"from_path_key" text COLLATE "C"
);
--> statement-breakpoint
CREATE TABLE "registry"."metalakes" (
	"name" text COLLATE "C" PRIMARY KEY NOT NULL,
	"owner" text,
	"comment" text,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "registry"."tombstones" (
	"entity_id" text PRIMARY KEY NOT NULL,
	"metalake" text COLLATE "C" NOT NULL,
	"catalog" text COLLATE "C" NOT NULL,
	"catalog_id" text NOT NULL,
	"kind" text NOT NULL,
	"path_key" text COLLATE "C" NOT NULL,
	"version" integer NOT NULL,
	"registered_at" bigint NOT NULL,
	"dropped_at" bigint NOT NULL,
	"dropped_by" text NOT NULL,
	"intent_id" text
);
--> statement-breakpoint
ALTER TABLE "registry"."catalog_secrets" ADD CONSTRAINT "catalog_secrets_catalog_id_catalogs_id_fk" FOREIGN KEY ("catalog_id") REFERENCES "registry"."catalogs"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "registry"."catalogs" ADD CONSTRAINT "catalogs_metalake_metalakes_name_fk" FOREIGN KEY ("metalake") REFERENCES "registry"."metalakes"("name") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "registry"."entities" ADD CONSTRAINT "entities_catalog_id_catalogs_id_fk" FOREIGN KEY ("catalog_id") REFERENCES "registry"."catalogs"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "registry"."entities" ADD CONSTRAINT "entities_parent_id_entities_id_fk" FOREIGN KEY ("parent_id") REFERENCES "registry"."entities"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "registry"."entity_grants" ADD CONSTRAINT "entity_grants_entity_id_entities_id_fk" FOREIGN KEY ("entity_id") REFERENCES "registry"."entities"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "registry"."entity_policies" ADD CONSTRAINT "entity_policies_entity_id_entities_id_fk" FOREIGN KEY ("entity_id") REFERENCES "registry"."entities"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "registry"."entity_secrets" ADD CONSTRAINT "entity_secrets_entity_id_entities_id_fk" FOREIGN KEY ("entity_id") REFERENCES "registry"."entities"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "registry"."entity_tags" ADD CONSTRAINT "entity_tags_entity_id_entities_id_fk" FOREIGN KEY ("entity_id") REFERENCES "registry"."entities"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "catalogs_by_name" ON "registry"."catalogs" USING btree ("metalake","name");--> statement-breakpoint
CREATE UNIQUE INDEX "entities_by_path" ON "registry"."entities" USING btree ("catalog_id","path_key","name_space");--> statement-breakpoint
CREATE UNIQUE INDEX "entities_by_folded_path" ON "registry"."entities" USING btree ("catalog_id","folded_key","name_space") WHERE "registry"."entities"."folded_key" is not null;--> statement-breakpoint
CREATE INDEX "entities_by_parent" ON "registry"."entities" USING btree ("parent_id","path_key");--> statement-breakpoint
CREATE INDEX "events_by_catalog" ON "registry"."events" USING btree ("metalake","catalog","seq");--> statement-breakpoint
CREATE INDEX "tombstones_by_time" ON "registry"."tombstones" USING btree ("catalog_id","dropped_at");--> statement-breakpoint
CREATE INDEX "tombstones_by_intent" ON "registry"."tombstones" USING btree ("intent_id") WHERE "registry"."tombstones"."intent_id" is not null;